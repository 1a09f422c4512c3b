// Nothing of it is called: see package.json.
