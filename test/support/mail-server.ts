/** A mail server for tests: it accepts mail, or rejects recipients as configured. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export type TakenMail = { from: string; to: string[]; text: string }

export async function openMailServer() {
  const mails: TakenMail[] = []
  let refusal: string | null = null
  let refused = 0
  const server = createServer((socket) => {
    let unread = ''
    let mail: TakenMail = { from: '', to: [], text: '' }
    let inData = false
    const reply = (line: string) => socket.write(`${line}\r\n`)
    const command = (line: string): void => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO' || verb === 'HELO') reply('250 here')
      else if (verb === 'MAIL') {
        mail = { from: line.slice(10).replace(/[<>]/g, ''), to: [], text: '' }
        reply('250 ok')
      } else if (verb === 'RCPT') {
        mail.to.push(line.slice(8).replace(/[<>]/g, ''))
        if (refusal) refused++
        reply(refusal ?? '250 ok')
      } else if (verb === 'DATA') {
        inData = true
        reply('354 go on')
      } else if (verb === 'QUIT') socket.end('221 bye\r\n')
      else reply('250 ok')
    }
    const take = (line: string): void => {
      if (!inData) command(line)
      else if (line !== '.') mail.text += `${line.replace(/^\.\./, '.')}\n`
      else {
        inData = false
        mails.push(mail)
        reply('250 taken')
      }
    }
    socket.setEncoding('latin1')
    socket.on('error', () => {})
    socket.on('data', (chunk: string) => {
      unread += chunk
      const lines = unread.split('\r\n')
      unread = lines.pop() ?? ''
      for (const line of lines) take(line)
    })
    reply('220 here')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    mails,
    /** Returns the number of rejected recipients. */
    refused: () => refused,
    /** Rejects recipients with this line from now on; null accepts them. */
    refuse: (line: string | null) => {
      refusal = line
    },
    env: {
      PARLEY_SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PARLEY_MAIL_FROM: 'Parley <parley@example.com>',
    },
    close: () => server.close(),
  }
}
