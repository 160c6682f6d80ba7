"""Calls that a model writes, and those that a server gives: one reader of both.

Small models often choose the right tool and the right arguments, and then write the call into
their answer instead of making it: Qwen 2.5 Coder does so for every command. The families of what
they write have a module each (`objects`, `functions`, `tags`), with examples.

Such text is a call when it has a call's form. It is run and never spoken: under the name of the
tool that it certainly means, else under the name that is written, so that the model reads which
tools there are. What is certainly one and cannot be read goes back to the model as that call's
error. All other text stays text, JSON that someone asked for included.
"""
