import { EMOJI } from './emoji.ts'

/** Shows the most used emoji. */
export const EmojiGrid = ({ onChoose }: { onChoose: (emoji: string) => void }) => (
  <div className="grid grid-cols-8">
    {EMOJI.map((emoji) => (
      <button
        key={emoji}
        type="button"
        className="flex size-8 items-center justify-center rounded-md text-md hover:bg-surface-3"
        onClick={() => onChoose(emoji)}
      >
        {emoji}
      </button>
    ))}
  </div>
)
