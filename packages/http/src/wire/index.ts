export { AddressText, Decimal, Hash32Text, HexBytesText } from "./scalars.ts"
