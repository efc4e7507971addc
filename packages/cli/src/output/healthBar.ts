const CELLS = 20
/** The bar is full at this health factor: the debt is a third of the maximum. */
const FULL = 3

/** A health factor as a bar from 1, at which a position can be liquidated, to 3. Full if there is no debt. */
export const healthBar = (healthFactor: string | null): string => {
  const health = healthFactor === null ? FULL : Number(healthFactor)
  const filledCells = Math.max(0, Math.min(CELLS, Math.floor(((health - 1) / (FULL - 1)) * CELLS)))
  return `[${"#".repeat(filledCells)}${"-".repeat(CELLS - filledCells)}]`
}

/** The health factor with two decimals, rounded down. */
export const healthText = (healthFactor: string | null): string => {
  if (healthFactor === null) return "no debt"
  const [whole, digits = ""] = healthFactor.split(".")
  return `${whole}.${digits.slice(0, 2).padEnd(2, "0")}`
}
