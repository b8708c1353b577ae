"""Certificates: folders that prove to others that a plan is best, or that there is none; made, and checked again."""
