/** A person to be verified. */
export const person = {
  firstName: "Ana",
  lastName: "Souza",
  documentCategory: "PASSPORT",
  documentCountry: "BRAZIL",
  birthDate: "1990-12-31",
  nationality: "BRAZILIAN",
  address: "Rua 1",
  city: "Curitiba",
  state: "PR",
  postalCode: "80010-000"
} as const
