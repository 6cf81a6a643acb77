import { Fragment, type ReactNode } from 'react'
import { type FormattedPiece, formatted, LINK, type Line, type Piece } from './formatting.ts'

const LINKS = new RegExp(`(${LINK.source})`)

/** A link to a page outside the dashboard. */
export const WebLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline">
    {children}
  </a>
)

/** Shows text as typed, with its addresses as links. */
export function PlainText({ text }: { text: string }) {
  return (
    <p dir="auto" className="whitespace-pre-wrap">
      {text.split(LINKS).map((part, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
          <WebLink key={index} href={part}>
            {part}
          </WebLink>
        ) : (
          part
        ),
      )}
    </p>
  )
}

/** Formatting marks take no space and are not read aloud, but are included when the text is copied. */
const FormattingMark = ({ children }: { children: string }) => (
  <span aria-hidden className="text-[0px] leading-none">
    {children}
  </span>
)

const TAGS = { bold: 'strong', italic: 'em', struck: 'del', code: 'code' } as const
/** Shows a text without marks. */
type ShowText = (text: string) => ReactNode

function FormattedText({ piece, showText }: { piece: FormattedPiece; showText: ShowText }) {
  const Tag = TAGS[piece.kind]
  return (
    <Tag className={piece.kind === 'code' ? 'rounded-sm bg-ink-1/8 px-0.5 font-mono' : undefined}>
      <FormattingMark>{piece.typed}</FormattingMark>
      <Pieces pieces={piece.inner} showText={showText} />
      <FormattingMark>{piece.typed}</FormattingMark>
    </Tag>
  )
}

function piece(item: Piece, showText: ShowText): ReactNode {
  if ('inner' in item) return <FormattedText piece={item} showText={showText} />
  return item.kind === 'link' ? <WebLink href={item.text}>{item.text}</WebLink> : showText(item.text)
}

const Pieces = ({ pieces, showText }: { pieces: readonly Piece[]; showText: ShowText }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text
  pieces.map((item, index) => <Fragment key={index}>{piece(item, showText)}</Fragment>)

/** Shows consecutive lines of one kind. */
function Lines({ lines, isLast, showText }: { lines: readonly Line[]; isLast: boolean; showText: ShowText }) {
  const items = lines.map(({ typed, pieces }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
    <Fragment key={index}>
      {typed && <FormattingMark>{typed}</FormattingMark>}
      <Pieces pieces={pieces} showText={showText} />
    </Fragment>
  ))
  if (lines[0]!.kind === 'bullet')
    return (
      <ul className="list-disc ps-5">
        {items.map((item) => (
          <li key={item.key}>{item}</li>
        ))}
      </ul>
    )
  if (lines[0]!.kind === 'quote')
    return (
      <blockquote className="border-s-2 border-edge ps-2 text-ink-2">
        {items.map((item) => (
          <div key={item.key}>{item}</div>
        ))}
      </blockquote>
    )
  // Without this line break, an empty line before a list would be lost.
  const isClosed = isLast || lines.at(-1)!.pieces.length > 0
  return (
    <>
      {items.map((item, index) => (
        <Fragment key={item.key}>
          {index > 0 && '\n'}
          {item}
        </Fragment>
      ))}
      {!isClosed && '\n'}
    </>
  )
}

/** Shows text as the chat network's apps show it, with its addresses as links. */
export function Formatted({ text, showText = (plain) => plain }: { text: string; showText?: ShowText }) {
  const groups: Line[][] = []
  for (const line of formatted(text)) {
    const group = groups.at(-1)
    if (group?.[0]?.kind === line.kind) group.push(line)
    else groups.push([line])
  }
  // A paragraph cannot contain lists.
  const Tag = groups.every(([first]) => first!.kind === 'plain') ? 'p' : 'div'
  return (
    <Tag dir="auto" className="whitespace-pre-wrap">
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
        <Lines key={index} lines={group} isLast={index === groups.length - 1} showText={showText} />
      ))}
    </Tag>
  )
}

/** Names the kind of a message, above its content. */
export const Kind = ({ children }: { children: ReactNode }) => (
  <p className="text-xs text-ink-3">{children}</p>
)
