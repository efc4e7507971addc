import type { ComponentChildren } from "preact"

interface TableProps {
  readonly title: string
  readonly head: ReadonlyArray<string>
  /** The first cell of a row is the row's header. */
  readonly rows: ReadonlyArray<{ readonly id: string; readonly cells: ReadonlyArray<ComponentChildren> }>
  /** Text that is displayed instead of a table without rows. */
  readonly empty: string
}

/** Renders a table with a title. On a narrow screen the table scrolls horizontally, also with the arrow keys. */
export const Table = ({ empty, head, rows, title }: TableProps) => (
  <section class="card">
    <h2>{title}</h2>
    {rows.length === 0 ? (
      <p class="muted">{empty}</p>
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, a keyboard could not scroll it.
      <section class="scroll" aria-label={title} tabIndex={0}>
        <table class="text">
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cells: [first, ...rest], id }) => (
              <tr key={id}>
                <th scope="row">{first}</th>
                {rest.map((cell, columnIndex) => (
                  <td key={head[columnIndex + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    )}
  </section>
)
