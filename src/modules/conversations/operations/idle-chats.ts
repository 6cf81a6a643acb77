/** For who acts when a chat falls silent. */
export { findNextIdle, listIdleChats } from '../queries/idle.ts'
