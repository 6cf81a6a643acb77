/** Ids of options, which name their session and node: `bot:{session}:{node}:{option}`. Pure. */

export type Tap = { session: string; node: string; option: string }

const TAP = /^bot:([0-9a-f-]{36}):([A-Za-z0-9_-]{1,40}):([A-Za-z0-9_-]{1,40})$/

export const tapId = ({ session, node, option }: Tap): string => `bot:${session}:${node}:${option}`

/** Returns the parts of a tapped id; undefined if it is not the id of a bot's option. */
export function parseTap(id: string): Tap | undefined {
  const [, session, node, option] = TAP.exec(id) ?? []
  return session === undefined || node === undefined || option === undefined
    ? undefined
    : { session, node, option }
}
