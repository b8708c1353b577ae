"""The classic searches, one a screen: what they share is `search.space`."""
