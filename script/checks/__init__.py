"""What is checked of the integration without starting it, one file per subject.

Each check takes the integration's folder or what was read from it, and yields a sentence per fault.
"""
