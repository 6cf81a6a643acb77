import { expect, test } from 'vitest'
import { isShortLink, placeIn } from './map-link.ts'

test.each([
  ['19.0596, 72.8295', { latitude: '19.0596', longitude: '72.8295' }],
  ['geo:-33.86,151.21?z=12', { latitude: '-33.86', longitude: '151.21' }],
  ['https://maps.google.com/?q=19.0596,72.8295', { latitude: '19.0596', longitude: '72.8295' }],
  [
    'https://www.google.com/maps/place/Hill+Road+Bakery/@19.05,72.82,17z/data=!3m1!4b1!4m6!3m5!8m2!3d19.0596!4d72.8295',
    { latitude: '19.0596', longitude: '72.8295', name: 'Hill Road Bakery' },
  ],
  ['https://www.google.com/maps/@12.9716,77.5946,15z', { latitude: '12.9716', longitude: '77.5946' }],
  [
    'https://www.google.com/maps/search/?api=1&query=12.9716%2C77.5946',
    { latitude: '12.9716', longitude: '77.5946' },
  ],
  [
    'See https://maps.apple.com/?ll=50.894967,4.341626&q=Here',
    { latitude: '50.894967', longitude: '4.341626' },
  ],
  [
    'https://www.openstreetmap.org/?mlat=52.5&mlon=13.4#map=12/52.51/13.41',
    { latitude: '52.5', longitude: '13.4' },
  ],
  ['https://www.openstreetmap.org/#map=16/52.51/13.41', { latitude: '52.51', longitude: '13.41' }],
  ['https://maps.app.goo.gl/abc', undefined],
  ['https://example.com/?q=pizza', undefined],
  ['191, 72', undefined],
  ['Hill Road 12', undefined],
  ['https://example.com/%zz/@19.5,72.5', { latitude: '19.5', longitude: '72.5' }],
])('reads the place in %s', (text, place) => {
  expect(placeIn(text)).toEqual(place)
})

test('knows short links, which do not contain their place', () => {
  expect(isShortLink('https://maps.app.goo.gl/abc')).toBe(true)
  expect(isShortLink('https://maps.google.com/?q=1,2')).toBe(false)
})
