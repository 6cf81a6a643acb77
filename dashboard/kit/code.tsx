import { CopyButton } from './copy.tsx'

/** Shows text for a program, to read and copy. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className="relative">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keys
        tabIndex={0}
        className="scroll-thin max-h-96 overflow-auto rounded-md border bg-surface-2 p-3 pe-12"
      >
        <pre dir="ltr" className="font-mono text-sm whitespace-pre">
          {text}
        </pre>
      </section>
      <div className="absolute end-1.5 top-1.5 rounded-md bg-surface-2">
        <CopyButton text={text} />
      </div>
    </div>
  )
}
