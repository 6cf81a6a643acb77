/**
 * The processor time of Parley's operations, from docs/speed.md and docs/growing.md: two cores of a cloud's EPYC, Node 26 and
 * PostgreSQL 18. Microseconds.
 */

/** The cost of a batch, and of each request in it. */
export type BatchCost = { parley: number; database: number }

/** A batch costs this before its first request. */
export const BATCH: BatchCost = { parley: 345, database: 570 }
/** Each accepted send adds this. */
export const SEND: BatchCost = { parley: 56, database: 64 }
/** At most so many requests share a batch, and so many batches of a process are under way. */
export const MAX_BATCH = 256
export const BATCHES_UNDER_WAY = 2

/** The whole life of a message after its acceptance: its submission, and three receipts. */
export const AFTER_SEND: BatchCost = { parley: 52 + 3 * 65, database: 55 + 3 * 93 }
/** A delivery over https with its log. A message causes four events. */
export const DELIVERY: BatchCost = { parley: 72, database: 50 }
export const EVENTS_OF_A_MESSAGE = 4
/** A page of 50 messages or chats. */
export const PAGE: BatchCost = { parley: 370, database: 210 }

/** An agent at work: pages a second while reading and searching, and messages a second while writing. */
export const AGENT = { pages: 0.5, messages: 1 / 60 }
/** Bytes on the disk, with indexes: of a message for good, and of an event and of each delivery for a week. */
export const BYTES = { message: 700, event: 800, delivery: 1_900 }
export const LOG_DAYS = 7
/** Connections of a process to PostgreSQL. */
export const CONNECTIONS = 19

/** The share of a core that stays busy in ordinary operation. The rest serves peaks. */
export const FILL = 0.6
/** The share of a day's messages in its busiest hour. */
export const PEAK_HOUR = 0.2
