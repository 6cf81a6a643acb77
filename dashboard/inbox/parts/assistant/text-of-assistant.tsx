/** Shows a text of the assistant. Screen readers and the keyboard reach all of it. */
export const TextOfAssistant = ({ label, text }: { label: string; text: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: a region that scrolls
  <div
    role="group"
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    tabIndex={0}
    dir="auto"
    className="max-h-40 overflow-y-auto rounded-md border bg-surface-1 px-3 py-2 break-words whitespace-pre-wrap"
  >
    {text}
  </div>
)
