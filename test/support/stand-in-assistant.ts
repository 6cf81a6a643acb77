/**
 * A stand-in for the assistant, with an HTTP API like OpenAI's.
 *
 *   const assistant = await standInAssistant()
 *   assistant.says(JSON.stringify({ action: 'answer', text: 'At ten.' }))
 */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Body } from './boot.ts'

export type Question = { path: string | undefined; headers: IncomingHttpHeaders; body: Body }
export type Answering = (response: ServerResponse, question: Question) => void

/** Returns a completion with the text `words`, as the API wraps it. */
export const completion = (words: string): string =>
  JSON.stringify({
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: words } }],
  })

export const answerOf = (text: string): string => JSON.stringify({ action: 'answer', text })

export async function standInAssistant() {
  const questions: Question[] = []
  let answerWith: Answering = (response) => response.end(completion(answerOf('At ten.')))
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const question = {
      path: request.url,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
    }
    questions.push(question)
    answerWith(response, question)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** Reachable only where the settings allow its address. */
    env: { PARLEY_EGRESS_ALLOW: '127.0.0.0/8' },
    url: `http://127.0.0.1:${port}/v1`,
    questions,
    answer: (next: Answering) => {
      answerWith = next
    },
    /** Sets the text of its answers from now on. */
    says: (words: string) => {
      answerWith = (response) => response.end(completion(words))
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
