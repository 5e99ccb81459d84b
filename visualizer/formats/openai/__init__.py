"""Recordings of OpenAI's two APIs: Chat Completions and Responses."""
