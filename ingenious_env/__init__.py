"""Ingenious."""
