/** Reads the place in a pasted map link. */
export type Place = { latitude: string; longitude: string; name?: string }

const NUMBER = String.raw`[+-]?\d{1,3}(?:\.\d+)?`
const PAIR = new RegExp(String.raw`^\s*(?:geo:)?(${NUMBER})\s*[,;\s]\s*(${NUMBER})`)
/** The place itself, before the visible part of the map (`@`). */
const PATTERNS = [
  new RegExp(`!3d(${NUMBER})!4d(${NUMBER})`),
  new RegExp(`@(${NUMBER}),(${NUMBER})`),
  new RegExp(`#map=\\d+(?:\\.\\d+)?/(${NUMBER})/(${NUMBER})`),
]
const PARAMETERS = ['q', 'query', 'll', 'coordinate', 'destination', 'daddr', 'center', 'sll']
const PLACE_NAME = /\/place\/([^/@]+)/

function placeAt(latitude: string, longitude: string): Place | undefined {
  const isOnEarth = Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180
  return isOnEarth ? { latitude: String(Number(latitude)), longitude: String(Number(longitude)) } : undefined
}

const pairIn = (text: string | null): Place | undefined => {
  const match = text?.match(PAIR)
  return match ? placeAt(match[1]!, match[2]!) : undefined
}

/** Returns the pin of an OpenStreetMap link. */
function pinOf(parameters: URLSearchParams): Place | undefined {
  const [latitude, longitude] = [parameters.get('mlat'), parameters.get('mlon')]
  return latitude && longitude ? pairIn(`${latitude},${longitude}`) : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function placeInLink(link: URL): Place | undefined {
  const parameter = PARAMETERS.map((name) => pairIn(link.searchParams.get(name))).find(Boolean)
  const pin = pinOf(link.searchParams) ?? parameter
  if (pin) return pin
  const address = decoded(link.href)
  for (const pattern of PATTERNS) {
    const match = address.match(pattern)
    const place = match && placeAt(match[1]!, match[2]!)
    if (place) return place
  }
  return undefined
}

/** Returns the place of a map link, or of two numbers; undefined if the text has neither. */
export function placeIn(text: string): Place | undefined {
  const pair = pairIn(text)
  if (pair) return pair
  const address = text.match(/https?:\/\/\S+/)?.[0]
  if (!address || !URL.canParse(address)) return undefined
  const place = placeInLink(new URL(address))
  const name = decoded(address.match(PLACE_NAME)?.[1] ?? '').replaceAll('+', ' ')
  return place && (name && !PAIR.test(name) ? { ...place, name } : place)
}

/** Short links name a place only to the map's own site. */
export const isShortLink = (text: string): boolean =>
  /https?:\/\/(?:maps\.app\.goo\.gl|goo\.gl\/maps|g\.co|osm\.org\/go)\b/.test(text)
