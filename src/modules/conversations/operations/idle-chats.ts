/** For who acts when a chat falls silent. */
export { findNextIdle, type IdleChat, listIdleChats, type Side } from '../queries/idle.ts'
