import { Callout } from '../../kit/callout.tsx'
import { t } from '../texts.ts'
import { formatNode } from './format.ts'
import type { Editor } from './use-editor.ts'

type Props = {
  editor: Editor
  /** Opens a part; undefined opens the settings of the whole bot. */
  onOpen: (id: string | undefined) => void
}

/** Lists the errors that prevent saving, with a link to each. */
export function Faults({ editor, onOpen }: Props) {
  const { faults, draft } = editor
  if (faults.length === 0) return null
  return (
    <div className="mb-4">
      <Callout kind="bad" role="alert">
        <p className="font-medium">{t('faults', { count: faults.length })}</p>
        <ul>
          {faults.map(({ node: id, path, message }) => {
            const node = draft.nodes.find((candidate) => candidate.id === id)
            const name = node ? formatNode(node) : t('settings')
            const isOfSettings = id === undefined && path === ''
            return (
              <li key={`${id} ${path} ${message}`}>
                {isOfSettings ? (
                  message
                ) : (
                  <button
                    type="button"
                    className="min-h-6 text-start underline hover:no-underline"
                    onClick={() => onOpen(id)}
                  >
                    {t('fault.at', { name, fault: message })}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      </Callout>
    </div>
  )
}
