import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './button.tsx'
import { t } from './texts.ts'

const SHOWN_MS = 2_000

/**
 * Writes to the clipboard. On plain http from another machine, browsers block the clipboard API but allow
 * copying after a click.
 */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const fillClipboard = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  addEventListener('copy', fillClipboard, { once: true, capture: true })
  document.execCommand('copy')
  removeEventListener('copy', fillClipboard, { capture: true })
}

/** A button that copies a text. */
export function CopyButton({ text, label = t('copy') }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? t('copied') : label}
      size="sm"
      onClick={() => {
        void writeClipboard(text).then(() => {
          setCopied(true)
          setTimeout(() => setCopied(false), SHOWN_MS)
        })
      }}
    />
  )
}

/** Shows a secret or an address to copy. */
export const CopyField = ({ text, label }: { text: string; label: string }) => (
  <div className="flex items-center gap-1 rounded-md border border-edge bg-surface-2 py-1 ps-3 pe-1">
    <code dir="ltr" className="min-w-0 flex-1 font-mono text-sm break-all">
      {text}
    </code>
    <CopyButton text={text} label={label} />
  </div>
)
