export { type PastPrice, type PastPriceRequest, PastPrices, type PastRate, type PastValue } from "./PastPrices.ts"
