/** A mail to owners and admins; customers get no mail. */

export type Mail = {
  /**
   * The same for every attempt of one mail, so that mail servers recognize duplicates: letters, digits, and
   * dashes.
   */
  id: string
  /** One address. */
  to: string
  subject: string
  /** Plain text. */
  text: string
  /** The same as HTML. */
  html?: string | undefined
  /** The address that stops mails of this kind: a POST to it is enough (RFC 8058). */
  stopUrl?: string | undefined
}

export type Mailer = {
  /** Sends a mail. Rejects, without naming the address, if the mail server does not accept it. */
  send(mail: Mail): Promise<void>
  close(): void
}

declare module '../core/context.ts' {
  interface Outside {
    /** Null: this installation sends no mail. */
    mailer: Mailer | null
  }
}
