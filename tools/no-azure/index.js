// Never called: see package.json.
