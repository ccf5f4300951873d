// A rule: words that a page shows are in modules of texts, where a translation finds them.

const WORDS = /\p{L}{2}[,.;:]? \p{L}|^\p{Lu}\p{Ll}/u;
const ATTRIBUTES = new Set(["class", "d", "viewBox", "preserveAspectRatio"]);

/** What is no word for people: names of keys and headers, markup and questions to the style sheet. */
const NAMES = /^(?:(?:Arrow\w+|Enter|Escape|Home|End|Process|Slash|AltGraph|Content-Type)$|<|\(\w+[-:])/;

/** Whether a node is in an attribute that no person reads, in the reason of a fault, or in the name of a property.
 * @param {any} node @returns {boolean} */
function isHidden(node) {
  const { parent } = node;
  if (!parent || parent.type.endsWith("Statement")) return false;
  if (parent.type === "Property") return ATTRIBUTES.has(parent.key.name ?? parent.key.value);
  if (parent.type === "NewExpression" && parent.callee.name === "Error") return true;
  if (parent.type === "CallExpression" && parent.callee.type === "Super") return true;
  if (parent.type === "MemberExpression" && node === parent.property) return true;
  return isHidden(parent);
}

export default {
  meta: { messages: { words: "Words for people are in a module of texts." } },
  create(context) {
    const check = (node, text) => {
      if (WORDS.test(text) && !NAMES.test(text) && !isHidden(node)) context.report({ node, messageId: "words" });
    };
    return {
      Literal: (node) => typeof node.value === "string" && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked),
    };
  },
};
