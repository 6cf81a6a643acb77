import { t } from '../texts.ts'

/** Returns the name of a row's teammate. */
export const memberName = ({ memberId, name }: { memberId: string | null; name: string | null }): string =>
  name ?? t(memberId === null ? 'member.other' : 'member.left')
