import type { BenchDatabase } from '../ground/arena.ts'
import type { Shop } from './shops.ts'

/** A name that exactly three contacts have. */
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

/** The number of rows created by one statement, whose triggers keep the rows until it ends. */
const AT_ONCE = 500_000

/** Gives a workspace `rows` contacts, each with a conversation of one message. */
export async function addManyRows(database: BenchDatabase, shop: Shop, rows: number): Promise<void> {
  for (let first = 1; first <= rows; first += AT_ONCE)
    await database.sql(
      `with people as (
         insert into contacts (workspace_id, id, phone, display_name, created_at, updated_at)
         select $1, uuidv7(), '+9198' || lpad(n::text, 8, '0'),
                case when n in (17, 5000, 9999) then 'Zebulon ${RARE_NAME}'
                     else ($5::text[])[1 + n % cardinality($5::text[])] || ' ' || ($6::text[])[1 + n % cardinality($6::text[])] end,
                now(), now()
         from generate_series($3::int, $4::int) n returning workspace_id, id
       ), chats as (
         insert into conversations (workspace_id, id, contact_id, phone_number_id, created_at, updated_at)
         select workspace_id, uuidv7(), id, $2, now(), now() from people returning workspace_id, id, contact_id
       ), activity as (
         insert into conversation_activity (workspace_id, conversation_id, activity_id, last_message_at)
         select workspace_id, id, uuidv7(), now() from chats
       )
       insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status, created_at)
       select workspace_id, uuidv7(), id, contact_id, $2, 'inbound', 'text', '{"body": "Is the blue one in stock?"}', 'received', now()
       from chats`,
      [shop.workspaceId, shop.phoneNumberId, first, Math.min(rows, first + AT_ONCE - 1), FIRST, LAST],
    )
  await database.admin('vacuum (analyze)')
}
