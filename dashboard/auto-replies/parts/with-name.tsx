import { Fragment } from 'react'
import { t } from '../texts.ts'

/** Shows the place of the customer's name in a text. */
export const withName = (text: string) =>
  text.split('{{contact.name}}').map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have only their place as an identity
    <Fragment key={index}>
      {index > 0 && <span className="rounded-sm bg-note-soft px-0.5 text-note">{t('list.name')}</span>}
      {piece}
    </Fragment>
  ))
