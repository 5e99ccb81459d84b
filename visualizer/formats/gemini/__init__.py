"""Recordings in the words of the Gemini API: its calls, the Gemini CLI, Qwen Code."""
