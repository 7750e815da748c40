"""Hooks that fire: the programs, addresses and questions that harnesses let users put before and after events."""
