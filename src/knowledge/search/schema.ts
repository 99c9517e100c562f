import type { Migration } from '../../platform/database/database.ts'

/** As the words of items and of questions are cut: case and accents do not count, English endings neither. */
export const TOKENIZER = 'porter unicode61 remove_diacritics 2'

/**
 * `search.db`: what is searched. All of it can be made again from `knowledge.db` (search/rebuild.ts), so it is opened with
 * NORMAL. No text is stored. `lexical.rowid` is the item's id, `words.rowid` the document's.
 */
export const searchMigrations: readonly Migration[] = [
  `
  CREATE VIRTUAL TABLE lexical USING fts5(
    title, content, keywords, content = '', contentless_delete = 1, tokenize = '${TOKENIZER}'
  );
  CREATE VIRTUAL TABLE words USING fts5(
    word, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);

  CREATE TABLE indexed (
    item_id INTEGER PRIMARY KEY, document_id INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX indexed_document ON indexed (document_id);

  CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL, model TEXT NOT NULL, dims INTEGER NOT NULL, vectors INTEGER NOT NULL DEFAULT 0,
    UNIQUE (provider, model, dims)
  ) STRICT;

  CREATE TABLE vectors (
    item_id INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL, model_id INTEGER NOT NULL REFERENCES models (id),
    vector BLOB NOT NULL
  ) STRICT;
  CREATE INDEX vectors_document ON vectors (document_id, model_id);

  CREATE TABLE codes (
    id INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL, model_id INTEGER NOT NULL REFERENCES models (id),
    items BLOB NOT NULL, codes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX codes_document ON codes (document_id);

  CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document_id INTEGER NOT NULL UNIQUE
  ) STRICT;
  `
]
