import type { Context } from '../../../core/context.ts'
import { invalid } from '../../../core/errors.ts'
import { parsePhone } from '../../../core/phone.ts'

/** A customer's number in E.164, in any spelling that is given; what is none is refused at its path. */
export function phoneOf({ workspace }: Pick<Context, 'workspace'>, given: string, path: string): string {
  const phone = parsePhone(given, workspace.countryCode)
  if (phone === undefined) throw invalid([{ path, message: 'must be a phone number' }])
  return phone
}
