import { texts } from '../../../texts.ts'
import en from './en.json'

export const t = texts('inbox/parts/origin', en)
