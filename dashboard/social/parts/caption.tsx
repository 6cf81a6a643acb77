/** Shows the caption of a post as the network does: cut, with a button for the rest. */
import { useState } from 'react'
import { t } from '../texts.ts'
import { cutCaption } from './cut-caption.ts'

/** Tags and mentions, which the network shows as links. */
const LINKS = /([#@][\p{L}\p{N}_.]*[\p{L}\p{N}_])/gu

type Props = { username: string; caption: string }

export function Caption({ username, caption }: Props) {
  const [isWhole, setWhole] = useState(false)
  const start = cutCaption(caption)
  const shown = isWhole || start === undefined ? caption : start
  return (
    <p dir="auto" className="text-sm break-words whitespace-pre-wrap">
      <bdi className="font-semibold">{username}</bdi>{' '}
      {shown.split(LINKS).map((part, i) =>
        i % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
          <span key={i} className="text-accent">
            {part}
          </span>
        ) : (
          part
        ),
      )}
      {start !== undefined && (
        <>
          {isWhole ? ' ' : '… '}
          <button
            type="button"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
            className="relative text-ink-3 hover:underline pointer-coarse:after:absolute pointer-coarse:after:-inset-3.5"
          >
            {t(isWhole ? 'preview.less' : 'preview.more')}
          </button>
        </>
      )}
    </p>
  )
}
