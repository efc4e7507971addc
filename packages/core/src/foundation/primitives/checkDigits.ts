/**
 * Returns the values of the digits, and of the letters in a CNPJ (Receita Federal: the character code minus the code of
 * 0).
 */
const valuesOf = (text: string): ReadonlyArray<number> => [...text].map((character) => character.charCodeAt(0) - 48)

const weightedSum = (text: string, weights: ReadonlyArray<number>): number =>
  valuesOf(text).reduce((sum, value, position) => sum + value * weights[position % weights.length]!, 0)

/** Returns the Brazilian check digit: 11 minus the remainder modulo 11. Results of 10 and 11 become 0. */
const brazilianDigit = (text: string, highestWeight: number): number => {
  const weights = [...text].map((_, position) => ((text.length - 1 - position) % (highestWeight - 1)) + 2)
  const remainder = weightedSum(text, weights) % 11
  return remainder < 2 ? 0 : 11 - remainder
}

const withBrazilianDigits = (body: string, highestWeight: number): string => {
  const first = `${body}${brazilianDigit(body, highestWeight)}`
  return `${first}${brazilianDigit(first, highestWeight)}`
}

const isOneCharacter = (text: string): boolean => new Set(text).size === 1

/** Returns whether the text is a valid CPF, the eleven-digit taxpayer number of a person in Brazil. */
export const isCpf = (text: string): boolean =>
  /^\d{11}$/u.test(text) && !isOneCharacter(text) && withBrazilianDigits(text.slice(0, 9), 11) === text

/**
 * Returns whether the text is a valid CNPJ, the taxpayer number of a business in Brazil. It has fourteen characters.
 * Since July 2026 the first twelve may be letters.
 */
export const isCnpj = (text: string): boolean =>
  /^[0-9A-Z]{12}\d{2}$/u.test(text) && !isOneCharacter(text) && withBrazilianDigits(text.slice(0, 12), 9) === text

/** The assigned ABA prefixes: government, Federal Reserve districts, thrifts, electronic, traveler's checks. */
const ABA_PREFIX = /^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/u

/** Returns whether the text is a valid US bank routing number (ABA). */
export const isRoutingNumber = (text: string): boolean =>
  /^\d{9}$/u.test(text) && ABA_PREFIX.test(text) && text !== "000000000" && weightedSum(text, [3, 7, 1]) % 10 === 0

/**
 * Returns whether the text is a valid Mexican bank account number (CLABE). The check digit uses the last digit of each
 * product.
 */
export const isClabe = (text: string): boolean => {
  if (!/^\d{18}$/u.test(text)) return false
  const sum = valuesOf(text.slice(0, 17)).reduce(
    (total, value, position) => total + ((value * [3, 7, 1][position % 3]!) % 10),
    0
  )
  return (10 - (sum % 10)) % 10 === Number(text[17])
}

const argentinianDigit = (block: string): number => {
  const weights = [3, 1, 7, 9]
  const sum = valuesOf(block)
    .toReversed()
    .reduce((total, value, position) => total + value * weights[position % weights.length]!, 0)
  return (10 - (sum % 10)) % 10
}

/**
 * Returns whether the text is a valid Argentine account number of a bank (CBU) or a payment service (CVU). The first
 * block identifies the bank, the second one the account.
 */
export const isCbuOrCvu = (text: string): boolean =>
  /^\d{22}$/u.test(text) &&
  argentinianDigit(text.slice(0, 7)) === Number(text[7]) &&
  argentinianDigit(text.slice(8, 21)) === Number(text[21])
