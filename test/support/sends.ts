import { expect } from 'vitest'
import type { Answered, TestParley, TestWorkspace } from './boot.ts'
import { everythingOf } from './records.ts'

/** Returns the paths that an error names. */
export const issuesOf = (answer: Answered): string[] =>
  (answer.body.issues ?? []).map((issue: { path: string }) => issue.path)

/** Expects this error for a send, and no change in the workspace. */
export const refusing =
  (parley: () => TestParley) =>
  async (shop: TestWorkspace, body: unknown, status: number, error: string): Promise<Answered> => {
    const before = await everythingOf(parley(), shop.workspaceId)
    const answer = await shop.post('/send', body)
    expect(answer, answer.text).toMatchObject({
      status,
      body: { error, message: expect.stringMatching(/.../) },
    })
    expect(await everythingOf(parley(), shop.workspaceId)).toEqual(before)
    return answer
  }

/** Expects a message to be sent and to reach the customer; returns the stored message. */
export async function delivered(shop: TestWorkspace, body: object): Promise<Answered['body']> {
  const sent = await shop.post('/send', body)
  expect(sent, sent.text).toMatchObject({ status: 200 })
  await shop.advance(5)
  const { message } = (await shop.get(`/messages/${sent.body.messageId}`)).body
  expect(message, JSON.stringify(message)).toMatchObject({ status: 'read', error: null })
  return message
}
