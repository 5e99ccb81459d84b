"""Recordings that frameworks and harnesses for agents keep in words of their own."""
