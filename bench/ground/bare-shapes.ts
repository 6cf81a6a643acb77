/** What the bare loops write: rows of our shape, in one statement, without a rule. */
import { newId } from '../../src/core/ids.ts'

type Facts = { workspaceId: string; serial: number; fingerprint: Buffer }

const DAY_MS = 86_400_000
const CONTENT = '{"body": "Your order is on its way."}'

export const BARE_SHAPES = {
  /** B1 of RELIABILITY section 1: an idempotency key, a message and its job. */
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
}
export type BareShape = keyof typeof BARE_SHAPES
