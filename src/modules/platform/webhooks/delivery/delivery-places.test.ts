import { expect, test } from 'vitest'
import { deliveryPlaces } from './delivery-places.ts'

test('a claimed row takes a place until its attempt ends', () => {
  const places = deliveryPlaces(10)
  places.takeRow('w1')
  places.begin('w1')
  expect(places.room()).toBe(9)
  places.end('w1', false)
  expect(places.room()).toBe(10)
})

test('a row whose attempt never starts frees its place', () => {
  const places = deliveryPlaces(10)
  places.takeRow('w1')
  places.freeRow('w1')
  expect(places.room()).toBe(10)
})

test('a slow attempt frees its places, and is counted separately', () => {
  const places = deliveryPlaces(10)
  places.takeRow('w1')
  places.begin('w1')
  places.turnSlow('w1')
  expect([places.room(), places.tooSlow()]).toEqual([10, false])
  places.end('w1', true)
  expect(places.room()).toBe(10)
})

test('with 4,096 slow attempts, no other one starts until one ends', () => {
  const places = deliveryPlaces(10_000)
  for (let i = 0; i < 4_096; i++) {
    places.takeRow(`w${i}`)
    places.begin(`w${i}`)
    places.turnSlow(`w${i}`)
  }
  expect(places.tooSlow()).toBe(true)
  places.end('w0', true)
  expect(places.tooSlow()).toBe(false)
})

test('a workspace has room while a third of its places is free', () => {
  const places = deliveryPlaces(9)
  expect(places.isRoomy('w1')).toBe(true)
  while (places.roomOf('w1') > 0) places.takeRow('w1')
  expect(places.isRoomy('w1')).toBe(false)
})
