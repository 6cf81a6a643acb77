import type { ReactNode } from 'react'

const LINK = /(https?:\/\/[^\s<>"']+[^\s<>"'.,!?)\]])/g

/** A link out of the pages. */
export const Outward = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline">
    {children}
  </a>
)

/** Text with its addresses as links. */
export function Words({ text }: { text: string }) {
  return (
    <p dir="auto" className="whitespace-pre-wrap">
      {text.split(LINK).map((part, at) =>
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
          <Outward key={at} href={part}>
            {part}
          </Outward>
        ) : (
          part
        ),
      )}
    </p>
  )
}

/** What kind of message it is, above what it says. */
export const Kind = ({ children }: { children: ReactNode }) => (
  <p className="text-xs text-ink-3">{children}</p>
)
