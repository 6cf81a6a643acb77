import type { Transporter } from 'nodemailer'
import { SECOND_MS } from '../core/clock.ts'
import type { Mailer } from './port.ts'

/** A mail server. Credentials are sent only over TLS, except to this machine. */
export type SmtpAddress = {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  secure: boolean
  user?: string
  password?: string
}

export type SmtpOptions = {
  server: SmtpAddress
  /** `Name <address>` or an address. */
  from: string
  /** PEM text of further certificate authorities. */
  ca?: string | undefined
}

const CONNECT_MS = 10 * SECOND_MS
const SILENCE_MS = 20 * SECOND_MS
const THIS_MACHINE = ['localhost', '127.0.0.1', '::1']

/** Lets mail programs offer to stop mails of this kind with one click (RFC 2369, RFC 8058). */
const stopHeaders = (stopUrl: string) => ({
  'List-Unsubscribe': `<${stopUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** Sends mail by SMTP with a new connection for each mail, because there are few. */
export function createSmtpMailer({ server, from, ca }: SmtpOptions): Mailer {
  const { host, port, secure, user, password } = server
  const settings = {
    host,
    port,
    secure,
    requireTLS: user !== undefined && !THIS_MACHINE.includes(host),
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  // Loaded with the first mail: most processes send none.
  const open = async (): Promise<Transporter> => (await import('nodemailer')).createTransport(settings)
  let opened: Promise<Transporter> | undefined
  return {
    async send({ id, to, subject, text, html, stopUrl }) {
      try {
        opened ??= open()
        await (await opened).sendMail({
          from,
          to,
          subject,
          text,
          html,
          messageId: `<${id}@parley>`,
          // Prevents automatic replies (RFC 3834).
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(stopUrl === undefined ? {} : stopHeaders(stopUrl)),
          },
        })
      } catch (fault) {
        // The server's text may repeat the address; its code does not.
        const { responseCode, code } = fault as { responseCode?: number; code?: string }
        throw new Error(`The mail server rejected an email (${responseCode ?? code ?? 'no reason given'}).`)
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}
