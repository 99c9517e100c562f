import type { Migration } from '../../platform/database/database.ts'

/**
 * `lookout.db`: what happened and what is to be sent. One file, so that an event, its decision and its messages are
 * committed together or not at all. Times are epoch milliseconds; lists are JSON.
 */
export const ledgerMigrations: readonly Migration[] = [
  `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    source TEXT NOT NULL, id TEXT NOT NULL, revision TEXT NOT NULL,
    thread_id TEXT NOT NULL, family TEXT NOT NULL, category TEXT NOT NULL, severity TEXT NOT NULL, lifecycle TEXT NOT NULL,
    sent_at INTEGER NOT NULL, received_at INTEGER NOT NULL, expires_at INTEGER,
    decision TEXT NOT NULL, reason TEXT NOT NULL,
    event TEXT NOT NULL, trace TEXT NOT NULL,
    UNIQUE (source, id, revision)
  ) STRICT;
  CREATE INDEX events_thread ON events (thread_id);
  CREATE INDEX events_id ON events (id);
  CREATE INDEX events_received ON events (received_at);

  CREATE TABLE thread_names (name TEXT PRIMARY KEY, thread_id TEXT NOT NULL, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY,
    transport TEXT NOT NULL, channel TEXT NOT NULL, direct INTEGER NOT NULL, channel_key TEXT NOT NULL, radio TEXT,
    state TEXT NOT NULL, reason TEXT,
    kind TEXT NOT NULL, path TEXT NOT NULL, severity TEXT NOT NULL, rank INTEGER NOT NULL, family TEXT NOT NULL, category TEXT NOT NULL,
    thread_id TEXT NOT NULL, lifecycle TEXT NOT NULL,
    regions TEXT NOT NULL, zones TEXT NOT NULL, new_places_only INTEGER NOT NULL, event_seqs TEXT NOT NULL, event_ids TEXT NOT NULL, material TEXT NOT NULL,
    dedup_source TEXT NOT NULL, dedup_key TEXT NOT NULL, cooldown TEXT NOT NULL,
    parts TEXT, next_part INTEGER NOT NULL DEFAULT 0, identity TEXT, bytes INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0, heard_by INTEGER NOT NULL DEFAULT 0, simulated INTEGER NOT NULL DEFAULT 0,
    merged_into INTEGER,
    created_at INTEGER NOT NULL, due_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, hazard_ends_at INTEGER,
    first_sent_at INTEGER, sent_at INTEGER, changed_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX deliveries_thread ON deliveries (thread_id);
  CREATE INDEX deliveries_queued ON deliveries (transport, rank DESC, created_at, id, due_at) WHERE state = 'queued';
  CREATE INDEX deliveries_due ON deliveries (transport, due_at) WHERE state = 'queued';
  CREATE INDEX deliveries_deadline ON deliveries (expires_at) WHERE state IN ('queued', 'held');
  CREATE INDEX deliveries_flying ON deliveries (transport) WHERE state = 'transmitting';
  CREATE INDEX deliveries_created ON deliveries (created_at);
  CREATE INDEX deliveries_changed ON deliveries (changed_at);

  CREATE TABLE delivery_steps (
    delivery_id INTEGER NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT, detail TEXT NOT NULL
  ) STRICT;
  CREATE INDEX delivery_steps_of ON delivery_steps (delivery_id);

  CREATE TABLE dedup (
    source TEXT NOT NULL, key TEXT NOT NULL, seen_at INTEGER NOT NULL, delivery_id INTEGER,
    PRIMARY KEY (source, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX dedup_seen ON dedup (seen_at);

  CREATE TABLE cooldowns (
    family TEXT NOT NULL, category TEXT NOT NULL, region TEXT NOT NULL, armed_at INTEGER NOT NULL,
    PRIMARY KEY (family, category, region)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE airtime (radio TEXT NOT NULL, at INTEGER NOT NULL, ms REAL NOT NULL) STRICT;
  CREATE INDEX airtime_at ON airtime (at);

  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE deliveries ADD COLUMN code TEXT;
  ALTER TABLE deliveries ADD COLUMN mark TEXT;
  ALTER TABLE deliveries ADD COLUMN origin INTEGER;

  CREATE TABLE thread_codes (code TEXT PRIMARY KEY, thread_id TEXT NOT NULL UNIQUE, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX thread_codes_seen ON thread_codes (seen_at);

  CREATE TABLE silences (
    id INTEGER PRIMARY KEY,
    family TEXT, region TEXT, thread_id TEXT, includes_immediate INTEGER NOT NULL,
    author TEXT NOT NULL, reason TEXT NOT NULL, from_at INTEGER NOT NULL, until_at INTEGER NOT NULL, ended_by TEXT
  ) STRICT;
  CREATE INDEX silences_until ON silences (until_at);

  CREATE TABLE acks (
    id INTEGER PRIMARY KEY, thread_id TEXT NOT NULL, author TEXT NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX acks_thread ON acks (thread_id);

  CREATE TABLE follow_ups (
    thread_id TEXT PRIMARY KEY, rank INTEGER NOT NULL, step INTEGER NOT NULL,
    due_at INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT, changed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX follow_ups_due ON follow_ups (due_at) WHERE state = 'open';

  CREATE TABLE stand_ins (
    id INTEGER PRIMARY KEY, thread_id TEXT NOT NULL, channel_key TEXT NOT NULL, seq INTEGER NOT NULL,
    planned TEXT NOT NULL, primaries TEXT NOT NULL, state TEXT NOT NULL, reason TEXT, expires_at INTEGER NOT NULL, changed_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX stand_ins_waiting ON stand_ins (thread_id, channel_key) WHERE state = 'waiting';
  CREATE INDEX stand_ins_thread ON stand_ins (thread_id);

  CREATE TABLE commands (
    key TEXT PRIMARY KEY, sender TEXT NOT NULL, command TEXT NOT NULL, outcome TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX commands_sender ON commands (sender, at);
  CREATE INDEX commands_at ON commands (at);
  `,
  `
  CREATE INDEX deliveries_in_force ON deliveries (hazard_ends_at)
    WHERE kind <> 'cancel' AND state NOT IN ('merged', 'suppressed', 'expired', 'failed');
  `,
  `
  CREATE TABLE source_polls (source TEXT PRIMARY KEY, state TEXT NOT NULL, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE source_urls (
    source TEXT NOT NULL, url TEXT NOT NULL, etag TEXT, modified TEXT, hash TEXT NOT NULL, seen_at INTEGER NOT NULL,
    PRIMARY KEY (source, url)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX source_urls_seen ON source_urls (seen_at);

  CREATE TABLE source_memory (
    source TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, seen_at INTEGER NOT NULL,
    PRIMARY KEY (source, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE INDEX deliveries_members ON deliveries (merged_into) WHERE merged_into IS NOT NULL;
  `,
  `
  CREATE INDEX events_grave ON events (received_at) WHERE severity IN ('critical', 'immediate');
  `,
  // Contract §6: what a text of unknown fate and one that nobody was heard repeating need to go on over a restart.
  `
  ALTER TABLE deliveries ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE deliveries ADD COLUMN unheard INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE deliveries ADD COLUMN renewed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE deliveries ADD COLUMN session TEXT;
  ALTER TABLE deliveries ADD COLUMN identities TEXT NOT NULL DEFAULT '[]';
  CREATE INDEX deliveries_unanswered ON deliveries (transport)
    WHERE unanswered >= 3 AND state IN ('queued', 'held', 'transmitting');
  CREATE INDEX deliveries_listening ON deliveries (transport, due_at) WHERE state = 'sent';
  `,
  // Every MC sender timestamp that was used, whatever became of its message.
  `
  CREATE TABLE mc_stamps (
    radio TEXT NOT NULL, stamp INTEGER NOT NULL, used_at INTEGER NOT NULL,
    PRIMARY KEY (radio, stamp)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mc_stamps_used ON mc_stamps (used_at);
  INSERT OR IGNORE INTO mc_stamps
    SELECT radio, json_extract(identity, '$.senderTimestamp'), changed_at FROM deliveries
    WHERE radio IS NOT NULL AND json_extract(identity, '$.senderTimestamp') IS NOT NULL;
  `,
  `
  ALTER TABLE cooldowns ADD COLUMN severity TEXT;
  ALTER TABLE cooldowns ADD COLUMN gravity REAL;
  CREATE INDEX deliveries_held ON deliveries (due_at) WHERE state = 'held';
  `,
  `
  CREATE TABLE radio_adverts (radio TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Threads in force are told by columns alone: the events beside them are long.
  `
  CREATE INDEX events_standing ON events (received_at, thread_id, lifecycle, reason, severity, sent_at, expires_at);
  `,
  // Kept, not counted: every page asks, and a storm leaves ten thousand rows waiting.
  `
  CREATE TABLE delivery_counts (
    transport TEXT NOT NULL, state TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (transport, state)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO delivery_counts SELECT transport, state, count(*) FROM deliveries GROUP BY transport, state;
  CREATE TRIGGER deliveries_added AFTER INSERT ON deliveries BEGIN
    INSERT INTO delivery_counts VALUES (NEW.transport, NEW.state, 1) ON CONFLICT (transport, state) DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER deliveries_moved AFTER UPDATE OF state ON deliveries WHEN NEW.state <> OLD.state BEGIN
    UPDATE delivery_counts SET n = n - 1 WHERE transport = OLD.transport AND state = OLD.state;
    INSERT INTO delivery_counts VALUES (NEW.transport, NEW.state, 1) ON CONFLICT (transport, state) DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER deliveries_removed AFTER DELETE ON deliveries BEGIN
    UPDATE delivery_counts SET n = n - 1 WHERE transport = OLD.transport AND state = OLD.state;
  END;
  `,
  // Contract §13: what the demo made is told apart, and taken out when the station is set up.
  `
  ALTER TABLE deliveries ADD COLUMN demo INTEGER NOT NULL DEFAULT 0;
  UPDATE deliveries SET demo = 1 WHERE EXISTS (
    SELECT 1 FROM events AS e WHERE e.seq = json_extract(event_seqs, '$[#-1]') AND json_extract(e.event, '$.data.demo') = 1);
  CREATE INDEX deliveries_demo ON deliveries (demo) WHERE demo = 1;
  CREATE INDEX events_demo ON events (thread_id) WHERE json_extract(event, '$.data.demo') = 1;
  `,
  // Contract §6, *Warnings before work*: what pages and queues ask again and again reads few rows, however long the storm.
  `
  DROP INDEX events_standing;
  CREATE INDEX events_in_force ON events (severity, seq, lifecycle, expires_at, sent_at, reason, received_at, thread_id);
  CREATE INDEX deliveries_failed ON deliveries (changed_at) WHERE state = 'failed';
  DROP INDEX deliveries_held;
  CREATE INDEX deliveries_held ON deliveries (reason, due_at) WHERE state = 'held';
  `,
  // Events whose rows were lost with a damaged page, by what `heard.log` remembers of them (docs/decisions/0020).
  `
  CREATE TABLE heard (identity TEXT PRIMARY KEY, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX heard_seen ON heard (seen_at);
  `,
  // The change stands in a column of its own: the program counts refusals, and reads no sentence for it.
  `
  ALTER TABLE delivery_steps ADD COLUMN change TEXT;
  UPDATE delivery_steps SET change = 'refuse' WHERE state = 'queued' AND detail LIKE 'refused: %';
  UPDATE delivery_steps SET reason = 'merged' WHERE state = 'merged' AND reason LIKE 'merged into %';
  UPDATE deliveries SET reason = 'merged' WHERE state = 'merged' AND reason LIKE 'merged into %';
  `,
  // A step holds a code and its values; a sentence of an older version that has no code stays as a note (docs/decisions/0024).
  `
  ALTER TABLE delivery_steps ADD COLUMN code TEXT NOT NULL DEFAULT 'note';
  ALTER TABLE delivery_steps ADD COLUMN params TEXT NOT NULL DEFAULT '{}';
  UPDATE delivery_steps SET code = CASE detail
    WHEN 'accepted' THEN 'accepted'
    WHEN 'no longer held' THEN 'released'
    WHEN 'no longer held by the quiet hours' THEN 'released_quiet'
    WHEN 'silenced while it waited' THEN 'silenced_waiting'
    WHEN 'it was over before it might go' THEN 'over_before_due'
    WHEN 'waited longer than it was worth sending' THEN 'too_late'
    WHEN 'the way is free again' THEN 'way_free'
    WHEN 'handed to the radio' THEN 'handed_over'
    WHEN 'handed to the radio again, same identity' THEN 'handed_over_again'
    WHEN 'left the radio' THEN 'left_radio'
    WHEN 'left the simulated radio' THEN 'left_simulated'
    WHEN 'repeated by a neighbour' THEN 'heard'
    WHEN 'acknowledged by its addressee' THEN 'acknowledged'
    WHEN 'accepted by the server' THEN 'server_took'
    ELSE 'note' END;
  UPDATE delivery_steps SET params = json_object('text', detail) WHERE code = 'note';
  ALTER TABLE delivery_steps DROP COLUMN detail;
  `,
  // Each write for an event of a storm costs little: no JSON is read to learn that an event is none of the demo, the
  // order of a thread is told by its index, and a plain UPDATE counts a row in half the time of an upsert.
  `
  DROP INDEX events_demo;
  CREATE INDEX events_demo ON events (thread_id)
    WHERE instr(event, '"demo":true') > 0 AND json_extract(event, '$.data.demo') = 1;
  DROP INDEX events_thread;
  CREATE INDEX events_thread ON events (thread_id, seq, sent_at);
  DROP TRIGGER deliveries_added;
  CREATE TRIGGER deliveries_added AFTER INSERT ON deliveries BEGIN
    INSERT OR IGNORE INTO delivery_counts VALUES (NEW.transport, NEW.state, 0);
    UPDATE delivery_counts SET n = n + 1 WHERE transport = NEW.transport AND state = NEW.state;
  END;
  `,
  // A start looks for the few that had no answer, not through all that waits.
  `
  CREATE INDEX deliveries_again ON deliveries (id) WHERE state = 'queued' AND unanswered > 0;
  `,
  // A radio forgets keys, and believes the next one it is told: those of admins' nodes are kept here.
  `
  CREATE TABLE pinned_keys (
    node TEXT PRIMARY KEY, key TEXT NOT NULL, first_seen INTEGER NOT NULL, other_key TEXT, other_at INTEGER
  ) STRICT, WITHOUT ROWID;
  `,
  // The kind of a message stands in words of its own (model/content.ts): what held the members of a digest was told from its
  // category, and a test from the name of its run. That of a broadcast ends in its network.
  `
  ALTER TABLE deliveries ADD COLUMN digest_of TEXT;
  UPDATE deliveries SET category = '', digest_of = CASE category
    WHEN 'digest_cooldown' THEN 'cooldown' WHEN 'digest_summary' THEN 'summary' WHEN 'digest_inhibited' THEN 'inhibited' ELSE 'quiet_hours' END
    WHERE path = 'digest';
  UPDATE deliveries SET path = 'test' WHERE path = 'broadcast' AND dedup_key GLOB 'test:*' AND dedup_key NOT GLOB '*:m[tc]';
  `,
  // The airtime of answers to people is counted apart: they have a share of their own, and delay nothing grave.
  `
  ALTER TABLE airtime ADD COLUMN reply INTEGER NOT NULL DEFAULT 0;
  `,
  // Every page asks for warnings that nothing here can place: there are few of them, and no trace is read to find that out.
  `
  CREATE INDEX events_unplaced ON events (received_at)
    WHERE severity <> 'routine' AND (reason = 'unplaced' OR instr(trace, '"by_state"') > 0);
  `,
  // An id is found by its sources, of which there are few: one index less for each event of a storm.
  `
  DROP INDEX events_id;
  `,
  // A piece that joins a waiting message of its own thread at once is a narrow row behind it (`pieces.ts`). Those of older versions
  // stay messages. Their numbers are of one sequence.
  `
  CREATE TABLE delivery_pieces (
    id INTEGER PRIMARY KEY, merged_into INTEGER NOT NULL,
    transport TEXT NOT NULL, kind TEXT NOT NULL, path TEXT NOT NULL, severity TEXT NOT NULL, family TEXT NOT NULL, lifecycle TEXT NOT NULL,
    regions TEXT NOT NULL, zones TEXT NOT NULL, event_seqs TEXT NOT NULL, event_ids TEXT NOT NULL, material TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX delivery_pieces_of ON delivery_pieces (merged_into);
  CREATE TRIGGER delivery_pieces_added AFTER INSERT ON delivery_pieces BEGIN
    INSERT OR IGNORE INTO delivery_counts VALUES (NEW.transport, 'merged', 0);
    UPDATE delivery_counts SET n = n + 1 WHERE transport = NEW.transport AND state = 'merged';
  END;
  CREATE TRIGGER delivery_pieces_removed AFTER DELETE ON delivery_pieces BEGIN
    UPDATE delivery_counts SET n = n - 1 WHERE transport = OLD.transport AND state = 'merged';
  END;
  `,
  // Contract §6, *Alert packets*: how a message rings; those that did are few, and counted by channel and time.
  `
  ALTER TABLE deliveries ADD COLUMN alarm TEXT;
  CREATE INDEX deliveries_alarm ON deliveries (first_sent_at, channel_key) WHERE alarm IS NOT NULL;
  `,
  // The log of a day is read by the time of what left, and of what did not: a storm's rows enter neither index before that is known.
  `
  CREATE INDEX delivery_steps_air ON delivery_steps (at)
    WHERE code IN ('left_radio', 'left_simulated', 'part_left', 'heard', 'heard_by', 'acknowledged');
  CREATE INDEX deliveries_untold ON deliveries (changed_at) WHERE state IN ('failed', 'expired', 'sent_unknown');
  `,
  // Contract §6, *Two stations*: what other stations were heard saying.
  `
  CREATE TABLE peer_tags (
    id INTEGER PRIMARY KEY, channel_key TEXT NOT NULL, code TEXT NOT NULL, alert TEXT NOT NULL, revision TEXT NOT NULL,
    peer TEXT NOT NULL, heard_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX peer_tags_heard ON peer_tags (channel_key, heard_at);
  `,
  // Rows that are added are counted by the program, once for each commit (`row-numbers.ts`). A row may be moved or removed before that.
  `
  DROP TRIGGER deliveries_added;
  DROP TRIGGER delivery_pieces_added;
  DROP TRIGGER deliveries_moved;
  CREATE TRIGGER deliveries_moved AFTER UPDATE OF state ON deliveries WHEN NEW.state <> OLD.state BEGIN
    INSERT INTO delivery_counts VALUES (OLD.transport, OLD.state, -1) ON CONFLICT (transport, state) DO UPDATE SET n = n - 1;
    INSERT INTO delivery_counts VALUES (NEW.transport, NEW.state, 1) ON CONFLICT (transport, state) DO UPDATE SET n = n + 1;
  END;
  DROP TRIGGER deliveries_removed;
  CREATE TRIGGER deliveries_removed AFTER DELETE ON deliveries BEGIN
    INSERT INTO delivery_counts VALUES (OLD.transport, OLD.state, -1) ON CONFLICT (transport, state) DO UPDATE SET n = n - 1;
  END;
  DROP TRIGGER delivery_pieces_removed;
  CREATE TRIGGER delivery_pieces_removed AFTER DELETE ON delivery_pieces BEGIN
    INSERT INTO delivery_counts VALUES (OLD.transport, 'merged', -1) ON CONFLICT (transport, state) DO UPDATE SET n = n - 1;
  END;
  `
]
