const MENTIONS_MAX = 20

type Member = { id: string; name: string }

/**
 * Returns the members that a note names as @Name. Longest names first, so that "Asha Rao" is not read as
 * "Asha".
 */
export function mentionsIn(text: string, team: readonly Member[]): string[] {
  let rest = text
  const found: string[] = []
  for (const { id, name } of team.toSorted((a, b) => b.name.length - a.name.length)) {
    const restText = rest.replaceAll(`@${name}`, ' ')
    if (restText !== rest) found.push(id)
    rest = restText
  }
  return found.slice(0, MENTIONS_MAX)
}
