"""Agents from elsewhere: saved models, bots of OpenSpiel, programs in any language."""
