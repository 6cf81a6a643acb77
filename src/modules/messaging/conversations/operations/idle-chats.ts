/** For modules that act when a chat becomes silent. */
export { findNextIdle, listIdleChats } from '../queries/idle.ts'
