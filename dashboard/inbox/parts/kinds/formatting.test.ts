import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatted, type Line, type Piece } from './formatting.ts'

const TAGS = { bold: 'b', italic: 'i', struck: 's', code: 'code', link: 'a', text: '' }
const STARTS = { plain: '', bullet: '• ', quote: '| ' }
const renderPiece = (piece: Piece): string => {
  if (piece.kind === 'text') return piece.text
  const inner = 'inner' in piece ? piece.inner.map(renderPiece).join('') : piece.text
  return `<${TAGS[piece.kind]}>${inner}</${TAGS[piece.kind]}>`
}
const render = (text: string): string =>
  formatted(text)
    .map(({ kind, pieces }) => STARTS[kind] + pieces.map(renderPiece).join(''))
    .join('\n')

test.each([
  ['Your order *has shipped*.', 'Your order <b>has shipped</b>.'],
  ['_slowly_, ~not~ `npm start`', '<i>slowly</i>, <s>not</s> <code>npm start</code>'],
  ['*_both_* and ~*_three_*~', '<b><i>both</i></b> and <s><b><i>three</i></b></s>'],
  ['(*a*) "_b_" *c:* *d*!', '(<b>a</b>) "<i>b</i>" <b>c:</b> <b>d</b>!'],
  ['*नमस्ते* ❤️*مرحبا*', '<b>नमस्ते</b> ❤️<b>مرحبا</b>'],
  // Marks directly touch the words that they format.
  ['2 * 3 * 4, * a *, *a *, _ b_', '2 * 3 * 4, * a *, *a *, _ b_'],
  ['*one * two*', '<b>one * two</b>'],
  // Within a word, marks are ordinary characters.
  ['snake_case_name, 2*3*4, a~b~', 'snake_case_name, 2*3*4, a~b~'],
  ['नमस्ते*a* *b*c', 'नमस्ते*a* *b*c'],
  ['*2*3 apples*', '<b>2*3 apples</b>'],
  ['**two** __two__ ~~two~~ ____', '**two** __two__ ~~two~~ ____'],
  ['*open, _and* never_ closed', '<b>open, _and</b> never_ closed'],
  // Only monospace can span lines.
  ['*a\nb*', '*a\nb*'],
  ['see ```a *b*\n  c``` and *d*', 'see <code>a *b*\n  c</code> and <b>d</b>'],
  ['`*a*` ``` ``` ``````', '`*a*` ``` ``` ``````'.replace('`*a*`', '<code>*a*</code>')],
  // Links keep their own marks, and can be formatted as a whole.
  ['https://a.example/x_y_z?q=*a* b', '<a>https://a.example/x_y_z?q=*a*</a> b'],
  ['(see https://a.example/x): *now*', '(see <a>https://a.example/x</a>): <b>now</b>'],
  ['*https://a.example/x*', '<b><a>https://a.example/x</a></b>'],
  ['_see https://a.example/_b_/c now_', '<i>see <a>https://a.example/_b_/c</a> now</i>'],
  ['_{{first_name}}_', '<i>{{first_name}}</i>'],
  // Lines.
  ['- milk\n* *bread*\n1. one\n> said\n>', '• milk\n• <b>bread</b>\n1. one\n| said\n>'],
  ['-milk\n *a* b\n-', '-milk\n <b>a</b> b\n-'],
  ['<b>no</b> & <script>', '<b>no</b> & <script>'],
])('%s', (text, expected) => {
  expect(render(text)).toBe(expected)
})

const sourceOfPiece = (piece: Piece): string =>
  'inner' in piece ? piece.typed + piece.inner.map(sourceOfPiece).join('') + piece.typed : piece.text
const sourceOfLine = ({ typed, pieces }: Line): string => typed + pieces.map(sourceOfPiece).join('')

test('the result contains all typed characters', () => {
  const part = fc.constantFrom(
    '*',
    '_',
    '~',
    '`',
    '```',
    ' ',
    '\n',
    '- ',
    '> ',
    'a',
    'é',
    'https://a.b/c',
    '.',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      expect(formatted(parts.join('')).map(sourceOfLine).join('\n')).toBe(parts.join(''))
    }),
  )
})

test.each(['*a ', '*_~', '```a', '`` ', 'a*', '*a_b~', '> *'])(
  'a long row of %s is parsed to its end',
  (part) => {
    const typed = part.repeat(20_000)
    expect(formatted(typed).map(sourceOfLine).join('\n')).toBe(typed)
  },
)
