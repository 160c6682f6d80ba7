"""Read the text of models: their thinking and the marks of their templates."""
