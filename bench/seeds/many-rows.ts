import type { BenchDatabase } from '../ground/arena.ts'
import type { Shop } from './shops.ts'

/** A name that three contacts bear, however many there are. */
export const RARE_NAME = 'Quaintance'

const FIRST = [
  'Asha',
  'Ravi',
  'Meera',
  'Arjun',
  'Kavya',
  'Imran',
  'Lakshmi',
  'Joseph',
  'Neha',
  'Vikram',
  'Sana',
]
const LAST = [
  'Rao',
  'Sharma',
  'Iyer',
  'Khan',
  'Patel',
  'Nair',
  'Das',
  'Gupta',
  'Reddy',
  'Singh',
  'Bose',
  'Shah',
  'Mehta',
]

/** Gives a workspace `rows` contacts, each with a conversation that has one message. */
export async function addManyRows(database: BenchDatabase, shop: Shop, rows: number): Promise<void> {
  await database.sql(
    `insert into contacts (workspace_id, id, phone, display_name, created_at, updated_at)
     select $1, uuidv7(), '+9198' || lpad(n::text, 8, '0'),
            case when n in (17, 5000, 9999) then 'Zebulon ${RARE_NAME}'
                 else ($3::text[])[1 + n % cardinality($3::text[])] || ' ' || ($4::text[])[1 + n % cardinality($4::text[])] end,
            now(), now()
     from generate_series(1, $2::int) n`,
    [shop.workspaceId, rows, FIRST, LAST],
  )
  await database.sql(
    `insert into conversations (workspace_id, id, contact_id, phone_number_id, created_at, updated_at)
     select workspace_id, uuidv7(), id, $2, now(), now() from contacts where workspace_id = $1`,
    [shop.workspaceId, shop.phoneNumberId],
  )
  await database.sql(
    `insert into conversation_activity (workspace_id, conversation_id, activity_id, last_message_at)
     select workspace_id, id, uuidv7(), now() from conversations where workspace_id = $1`,
    [shop.workspaceId],
  )
  await database.sql(
    `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status, created_at)
     select workspace_id, uuidv7(), id, contact_id, phone_number_id, 'inbound', 'text', '{"body": "Is the blue one in stock?"}',
            'received', now()
     from conversations where workspace_id = $1`,
    [shop.workspaceId],
  )
  await database.admin('vacuum (analyze)')
}
