/** The text of an auto-reply, in which the customer's name can be inserted. */
import { Braces } from 'lucide-react'
import { useRef } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { Button } from '../../kit/button.tsx'
import { TextArea } from '../../kit/field.tsx'
import { t } from '../texts.ts'

const NAME = '{{contact.name}}'

type Props = {
  field: UseFormRegisterReturn
  error: string | undefined
  /** Changes the text. */
  onInsert: (text: string) => void
}

export function MessageField({ field, error, onInsert }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = () => {
    const input = area.current
    if (!input) return
    const { value, selectionStart, selectionEnd } = input
    const caret = selectionStart + NAME.length
    onInsert(value.slice(0, selectionStart) + NAME + value.slice(selectionEnd))
    input.focus()
    input.setSelectionRange(caret, caret)
  }
  return (
    <div className="flex flex-col items-start gap-1.5">
      <TextArea
        className="w-full"
        label={t('form.text')}
        hint={t('form.text.hint', { fill: NAME })}
        error={error}
        {...field}
        ref={(input) => {
          field.ref(input)
          area.current = input
        }}
      />
      <Button size="sm" variant="ghost" icon={Braces} onClick={insert}>
        {t('form.insert')}
      </Button>
    </div>
  )
}
