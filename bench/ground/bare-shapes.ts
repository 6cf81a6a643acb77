/** The rows of the bare loops: in our format, in one statement, without validation. */
import { newId } from '../../src/core/ids.ts'

/** Contacts that the bare page is read from (B5 of docs/reliability.md section 1). */
const PAGED = 100_000
const PAGE_STEP = 7_919

type Facts = { workspaceId: string; serial: number; fingerprint: Buffer }

const DAY_MS = 86_400_000
const CONTENT = '{"body": "Your order is on its way."}'

export const BARE_SHAPES = {
  /** B1 of docs/reliability.md section 1: an idempotency key, a message and its job. */
  send: {
    tables: `
      create table keys (workspace_id uuid, key_id uuid, idem_key text, fingerprint bytea, status int, answer text,
        attempt uuid, started_at timestamptz, expires_at timestamptz, primary key (workspace_id, key_id, idem_key));
      create index on keys (expires_at);
      create table messages (workspace_id uuid, id uuid, conversation_id uuid, contact_id uuid, phone_number_id uuid,
        direction text, type text, content jsonb, status text, created_at timestamptz, primary key (workspace_id, id));
      create index on messages (workspace_id, conversation_id, id);
      create index on messages (workspace_id, status, id);
      create table jobs (workspace_id uuid, id uuid, message_id uuid, run_at timestamptz, primary key (workspace_id, id));
      create index on jobs (run_at)`,
    text: `
      with key as (
        insert into keys values ($1, $2, $3, $4, 200, $5, $6, $7, $8)
      ), message as (
        insert into messages values ($1, $6, $9, $10, $2, 'outbound', 'text', $11, 'queued', $7)
      )
      insert into jobs values ($1, $12, $6, $7)`,
    values: ({ workspaceId, serial, fingerprint }: Facts): unknown[] => {
      const messageId = newId()
      const nowMs = performance.timeOrigin + performance.now()
      return [
        workspaceId,
        workspaceId,
        `bench-${serial}`,
        fingerprint,
        `{"ok":true,"messageId":"${messageId}"}`,
        messageId,
        new Date(nowMs),
        new Date(nowMs + DAY_MS),
        newId(),
        newId(),
        CONTENT,
        newId(),
      ]
    },
  },
  /** One contact, three indexes. */
  contact: {
    tables: `
      create table contacts (workspace_id uuid, id uuid, phone text, display_name text, tags text[], attributes jsonb,
        created_at timestamptz, updated_at timestamptz, primary key (workspace_id, id));
      create unique index on contacts (workspace_id, phone);
      create index on contacts (workspace_id, display_name)`,
    text: `
      insert into contacts values ($1, $2, $3, $4, $5, $6, $7, $7)
      on conflict (workspace_id, phone) do update set display_name = excluded.display_name, updated_at = excluded.updated_at
      returning id`,
    values: ({ workspaceId, serial }: Facts): unknown[] => [
      workspaceId,
      newId(),
      `+9198${String(serial).padStart(8, '0')}`,
      'Asha Rao',
      ['bench'],
      '{}',
      new Date(performance.timeOrigin + performance.now()),
    ],
  },
  /** A page of 51 contacts from a random place. */
  page: {
    tables: `
      create table contacts (workspace_id uuid, id uuid, phone text, display_name text, tags text[], attributes jsonb,
        created_at timestamptz, updated_at timestamptz, primary key (workspace_id, id));
      insert into contacts
      select '00000000-0000-7000-8000-000000000000', ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        '+9198' || lpad(n::text, 8, '0'), 'Asha Rao', '{bench}', '{}', now(), now()
      from generate_series(1, ${PAGED}) n;
      analyze contacts`,
    text: 'select * from contacts where workspace_id = $1 and id < $2 order by id desc limit 51',
    values: ({ serial }: Facts): unknown[] => {
      const place = 51 + ((serial * PAGE_STEP) % (PAGED - 51))
      return [
        '00000000-0000-7000-8000-000000000000',
        `00000000-0000-7000-8000-${place.toString(16).padStart(12, '0')}`,
      ]
    },
  },
}
export type BareShape = keyof typeof BARE_SHAPES
