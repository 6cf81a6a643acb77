import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson, sendPieces, sendRefusal } from '../wire/answer.ts'
import type { Answer } from './reply-texts.ts'

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  if (answer.refusal) {
    request.refusedWith = answer.refusal.code
    return sendRefusal(reply, answer.refusal)
  }
  if (answer.pieces) return sendPieces(reply, answer.pieces)
  if (answer.status === 204) return reply.code(204).send()
  return sendJson(reply, answer.status, answer.text)
}
