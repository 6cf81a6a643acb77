/** Remembers which chats have a recording, without the code that records. */
import type { Recorder } from './recorder.ts'

/** A recording outlasts the change to another chat, and waits there, paused. */
export const recordings = new Map<string, Recorder>()

/** Returns whether this browser can record. */
export const canRecord = (): boolean => typeof MediaRecorder !== 'undefined'
