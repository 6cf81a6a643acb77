/** Translates the design of a form into the operator's Flow JSON (docs/formats.md section 2). */
import type { FlowField, FlowScreens } from './schema.ts'

/** Version of the format: references to fields of other screens exist since 4.0. */
const VERSION = '7.0'
/** Ids of screens are letters and underscores. */
const screenId = (index: number): string => `SCREEN_${String.fromCharCode('A'.charCodeAt(0) + index)}`

/** The id of an option is its title, so that answers are readable. */
const sourceOf = (options: readonly string[] = []) => options.map((title) => ({ id: title, title }))

function componentOf({
  kind,
  name,
  label,
  required = false,
  help,
  options,
}: FlowField): Record<string, unknown> {
  const field = { name, label, required }
  const helper = help === undefined ? {} : { 'helper-text': help }
  switch (kind) {
    case 'paragraph':
      return { type: 'TextArea', ...field, ...helper }
    case 'choice':
      return { type: 'RadioButtonsGroup', ...field, 'data-source': sourceOf(options) }
    case 'choices':
      return { type: 'CheckboxGroup', ...field, 'data-source': sourceOf(options) }
    case 'dropdown':
      return { type: 'Dropdown', ...field, 'data-source': sourceOf(options) }
    case 'date':
      return { type: 'DatePicker', ...field, ...helper }
    case 'consent':
      return { type: 'OptIn', ...field }
    case 'text':
    case 'number':
    case 'email':
    case 'phone':
      return { type: 'TextInput', 'input-type': kind, ...field, ...helper }
  }
}

/** Returns the answers of all screens, as the last screen submits them. */
const answersOf = (screens: FlowScreens): Record<string, string> =>
  Object.fromEntries(
    screens.flatMap(({ fields }, i) =>
      fields.map(({ name }) => [
        name,
        i === screens.length - 1 ? `\${form.${name}}` : `\${screen.${screenId(i)}.form.${name}}`,
      ]),
    ),
  )

/** Returns the Flow JSON of the screens. The customer fills them in order; the last one submits every answer. */
export const flowJsonOf = (screens: FlowScreens) => ({
  version: VERSION,
  screens: screens.map(({ title, text, fields, button }, i) => {
    const isLast = i === screens.length - 1
    const action = isLast
      ? { name: 'complete', payload: answersOf(screens) }
      : { name: 'navigate', next: { type: 'screen', name: screenId(i + 1) }, payload: {} }
    return {
      id: screenId(i),
      title,
      ...(isLast ? { terminal: true, success: true } : {}),
      data: {},
      layout: {
        type: 'SingleColumnLayout',
        children: [
          ...(text === undefined ? [] : [{ type: 'TextBody', text }]),
          {
            type: 'Form',
            name: 'form',
            children: [
              ...fields.map(componentOf),
              { type: 'Footer', label: button, 'on-click-action': action },
            ],
          },
        ],
      },
    }
  }),
})
