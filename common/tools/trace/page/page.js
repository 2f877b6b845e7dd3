"use strict";
document.getElementById("out").textContent = document.getElementById("trace").textContent;
