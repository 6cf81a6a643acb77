/** Mail to the owners and admins; nothing of it goes to customers. */

export type Mail = {
  /** The same for every try of one mail, so that a duplicate is recognised on the way: letters, digits and dashes. */
  id: string
  /** One address. */
  to: string
  subject: string
  /** Plain text. */
  text: string
}

export type Mailer = {
  /** Hands a mail over; rejects, without naming the address, when the mail server does not take it. */
  send(mail: Mail): Promise<void>
  close(): void
}

declare module '../core/context.ts' {
  interface Outside {
    /** Null: this installation sends no mail. */
    mailer: Mailer | null
  }
}
